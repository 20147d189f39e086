/** What may be done to a workload, and what the evidence says about it. Pure: no I/O, no clock. */
@NullMarked
package io.gpureclaimer.reclaimer.policy;

import org.jspecify.annotations.NullMarked;
