/** Which devices the node has now, and how they are wired: what a device plugin goes by. */
@NullMarked
package io.gpureclaimer.core.inventory;

import org.jspecify.annotations.NullMarked;
