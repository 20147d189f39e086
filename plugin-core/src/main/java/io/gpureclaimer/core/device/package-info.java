/** Devices by their names and properties: records that both programs share. */
@NullMarked
package io.gpureclaimer.core.device;

import org.jspecify.annotations.NullMarked;
