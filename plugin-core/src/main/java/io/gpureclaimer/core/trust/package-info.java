/** Whom to trust at the other end of a TLS connection, while the files that say it change. */
@NullMarked
package io.gpureclaimer.core.trust;

import org.jspecify.annotations.NullMarked;
