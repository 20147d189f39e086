package io.gpureclaimer.deviceplugin.kubelet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far the registration of a resource is, in the words of {@link ResourceState}.
 *
 * @param socket the name of the one that the kubelet reaches us at; null if there is none
 * @param registered whether the kubelet has accepted it
 * @param watchedSince null if it is not watched
 */
record Standing(@Nullable String socket, boolean registered, @Nullable Instant watchedSince) {}
