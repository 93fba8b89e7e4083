// The kernels of ibidem.unsupervised, each bound in a file of its own; module.cpp calls these.
#pragma once

#include <nanobind/nanobind.h>

namespace ibidem {

void bind_order_blocked(nanobind::module_& m);
void bind_order_gibbs(nanobind::module_& m);

}  // namespace ibidem
