/** Evidence of GPU use per pod, whatever source it came from. */
@NullMarked
package io.gpureclaimer.reclaimer.activity;

import org.jspecify.annotations.NullMarked;
