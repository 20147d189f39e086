/** What the scenarios share: a cluster to put things on, and the traces of a failure. */
@NullMarked
package io.gpureclaimer.verification.scenario.harness;

import org.jspecify.annotations.NullMarked;
