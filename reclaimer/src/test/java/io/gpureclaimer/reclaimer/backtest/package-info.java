@NullMarked
package io.gpureclaimer.reclaimer.backtest;

import org.jspecify.annotations.NullMarked;
