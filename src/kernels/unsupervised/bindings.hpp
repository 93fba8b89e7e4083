// The kernels of ibidem.unsupervised, each bound in a file of its own; module.cpp calls these.
#pragma once

#include <nanobind/nanobind.h>

namespace ibidem {

void bind_blocked_sampler(nanobind::module_& m);
void bind_gibbs_sampler(nanobind::module_& m);

}  // namespace ibidem
