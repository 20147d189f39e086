/** How both programs start: flags to properties, a checked configuration, a listening server. */
@NullMarked
package io.gpureclaimer.core.program;

import org.jspecify.annotations.NullMarked;
