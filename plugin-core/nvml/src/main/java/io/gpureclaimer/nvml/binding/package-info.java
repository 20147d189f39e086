/** The driver's C interface as jnr-ffi sees it: C names, structs, constants; no logic. */
@NullUnmarked
package io.gpureclaimer.nvml.binding;

import org.jspecify.annotations.NullUnmarked;
