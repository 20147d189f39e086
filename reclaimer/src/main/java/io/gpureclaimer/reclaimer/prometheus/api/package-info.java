/** The HTTP API of a Prometheus: a question and its answer, whatever is asked. */
@NullMarked
package io.gpureclaimer.reclaimer.prometheus.api;

import org.jspecify.annotations.NullMarked;
