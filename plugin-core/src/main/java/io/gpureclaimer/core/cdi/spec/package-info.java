/** What a CDI specification is: its parts, its names, its JSON. */
@NullMarked
package io.gpureclaimer.core.cdi.spec;

import org.jspecify.annotations.NullMarked;
