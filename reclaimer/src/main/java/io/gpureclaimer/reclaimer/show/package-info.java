/** Reports as text for people, the same on the command line and over HTTP. */
@NullMarked
package io.gpureclaimer.reclaimer.show;

import org.jspecify.annotations.NullMarked;
