/**
 * The API server: how it is found, how a dead connection to it is noticed, and how little of what
 * it tells is kept.
 */
@NullMarked
package io.gpureclaimer.core.kubernetes;

import org.jspecify.annotations.NullMarked;
