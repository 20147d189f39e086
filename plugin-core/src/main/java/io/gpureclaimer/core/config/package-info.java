/** The settings of the device plugin: NVIDIA's config file, flags and environment. */
@NullMarked
package io.gpureclaimer.core.config;

import org.jspecify.annotations.NullMarked;
