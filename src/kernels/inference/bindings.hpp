// The decoder of semi-CRFs, bound in a file of its own; module.cpp calls this.
#pragma once

#include <nanobind/nanobind.h>

namespace ibidem {

void bind_span_decoder(nanobind::module_& m);

}  // namespace ibidem
