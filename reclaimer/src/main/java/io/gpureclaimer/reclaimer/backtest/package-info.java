/** Plays the policy to the past: what it would have taken, and who would have missed it. Pure. */
@NullMarked
package io.gpureclaimer.reclaimer.backtest;

import org.jspecify.annotations.NullMarked;
