/**
 * The activity source that asks a Prometheus: what is asked, in the only PromQL there is, and how
 * answers are read.
 */
@NullMarked
package io.gpureclaimer.reclaimer.prometheus;

import org.jspecify.annotations.NullMarked;
