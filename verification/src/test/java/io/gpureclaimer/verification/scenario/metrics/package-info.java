/** From the driver to Prometheus: the agent as a pod, asked by a real Prometheus. */
@NullMarked
package io.gpureclaimer.verification.scenario.metrics;

import org.jspecify.annotations.NullMarked;
