/** Files of a host, or of a driver, that are mounted somewhere else for us. */
@NullMarked
package io.gpureclaimer.core.files;

import org.jspecify.annotations.NullMarked;
