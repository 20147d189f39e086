/** Which of the devices of the machine are served. Pure. */
@NullMarked
package io.gpureclaimer.exporter.devices;

import org.jspecify.annotations.NullMarked;
