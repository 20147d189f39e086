/**
 * Specifications of the Container Device Interface: what a runtime gives a container for a name.
 */
@NullMarked
package io.gpureclaimer.core.cdi;

import org.jspecify.annotations.NullMarked;
