/** Which pods are judged together, and under whose name. */
@NullMarked
package io.gpureclaimer.verification.scenario.workloads;

import org.jspecify.annotations.NullMarked;
