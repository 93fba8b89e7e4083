"""What several benchmarks share: experiments, baselines, rerankers, samples and clocks. Nothing here is a benchmark."""
