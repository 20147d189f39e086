@NullMarked
package io.gpureclaimer.core.trust;

import org.jspecify.annotations.NullMarked;
