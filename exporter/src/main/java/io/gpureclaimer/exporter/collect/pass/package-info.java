/** One look at every GPU: who is asked what, how long it may take, and whose fault stays whose. */
@NullMarked
package io.gpureclaimer.exporter.collect.pass;

import org.jspecify.annotations.NullMarked;
