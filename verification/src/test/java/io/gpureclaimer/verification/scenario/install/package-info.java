/** The chart, the kustomize base and the examples, given to a real API server. */
@NullMarked
package io.gpureclaimer.verification.scenario.install;

import org.jspecify.annotations.NullMarked;
