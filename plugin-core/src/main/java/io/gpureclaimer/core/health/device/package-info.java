/**
 * Whether a device may be given to a new container, and why not. What makes it unhealthy is heard
 * or seen at once; what makes it healthy again has to be shown. Pure but for the file.
 */
@NullMarked
package io.gpureclaimer.core.health.device;

import org.jspecify.annotations.NullMarked;
