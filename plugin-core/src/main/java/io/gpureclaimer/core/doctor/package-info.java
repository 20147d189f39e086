/** Whether this node can give its GPUs to containers, and if not, what to do. */
@NullMarked
package io.gpureclaimer.core.doctor;

import org.jspecify.annotations.NullMarked;
