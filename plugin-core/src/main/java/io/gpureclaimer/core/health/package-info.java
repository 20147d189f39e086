/** What has happened to a GPU, and what it means for its health. Pure: asks nobody. */
@NullMarked
package io.gpureclaimer.core.health;

import org.jspecify.annotations.NullMarked;
