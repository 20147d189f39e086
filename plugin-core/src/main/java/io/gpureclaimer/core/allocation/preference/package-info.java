/** Which of the devices that are left fit a container best. Pure, and the same each time. */
@NullMarked
package io.gpureclaimer.core.allocation.preference;

import org.jspecify.annotations.NullMarked;
