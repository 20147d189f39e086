/** The activity source that asks a Prometheus: its HTTP client and the only PromQL there is. */
@NullMarked
package io.gpureclaimer.reclaimer.prometheus;

import org.jspecify.annotations.NullMarked;
