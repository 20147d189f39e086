/** What every HTTP client of ours needs: whom it trusts, and words for what goes wrong. */
@NullMarked
package io.gpureclaimer.reclaimer.client;

import org.jspecify.annotations.NullMarked;
