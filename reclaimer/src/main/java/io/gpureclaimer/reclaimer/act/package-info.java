/** The only package that changes the cluster: it looks again, then acts or rehearses. */
@NullMarked
package io.gpureclaimer.reclaimer.act;

import org.jspecify.annotations.NullMarked;
