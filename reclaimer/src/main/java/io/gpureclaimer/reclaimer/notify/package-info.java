/** Messages to people outside the cluster, by webhook: what they say, and whether they arrived. */
@NullMarked
package io.gpureclaimer.reclaimer.notify;

import org.jspecify.annotations.NullMarked;
