/** NVIDIA's Multi-Process Service: one control daemon for each resource that is shared by it. */
@NullMarked
package io.gpureclaimer.core.mps;

import org.jspecify.annotations.NullMarked;
