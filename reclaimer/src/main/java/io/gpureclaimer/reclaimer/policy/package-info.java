/** What may be done to a workload, by what is annotated. Pure: no I/O, no clock. */
@NullMarked
package io.gpureclaimer.reclaimer.policy;

import org.jspecify.annotations.NullMarked;
