// The loops for any processor the wheel may meet.
#define IBIDEM_TARGET baseline
#define IBIDEM_BYTES 16
#include "inference/loops.inl"
