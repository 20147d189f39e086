/** Which files a driver has on a host, found as the loader and distributions place them. */
@NullMarked
package io.gpureclaimer.core.cdi.driver;

import org.jspecify.annotations.NullMarked;
