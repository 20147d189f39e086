/**
 * Pods that get GPUs by dynamic resource allocation: what agents say of them, what is reclaimed.
 */
@NullMarked
package io.gpureclaimer.verification.scenario.claims;

import org.jspecify.annotations.NullMarked;
