#pragma once

#include <nanobind/nanobind.h>

namespace ibidem {

void bind_span_decoder(nanobind::module_& m);

}  // namespace ibidem
