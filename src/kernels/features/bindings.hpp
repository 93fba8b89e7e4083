// The kernels of features, bound in a file of their own; module.cpp calls this.
#pragma once

#include <nanobind/nanobind.h>

namespace ibidem {

void bind_features(nanobind::module_& m);

}  // namespace ibidem
