// The kernels of ibidem.linking, bound in a file of their own; module.cpp calls this.
#pragma once

#include <nanobind/nanobind.h>

namespace ibidem {

void bind_linking(nanobind::module_& m);

}  // namespace ibidem
