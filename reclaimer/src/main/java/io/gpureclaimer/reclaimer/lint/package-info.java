/** Says of annotations in files what the judge would say of them. */
@NullMarked
package io.gpureclaimer.reclaimer.lint;

import org.jspecify.annotations.NullMarked;
