/** Which pods are judged together. Pure: no I/O, no clock. */
@NullMarked
package io.gpureclaimer.reclaimer.workload;

import org.jspecify.annotations.NullMarked;
