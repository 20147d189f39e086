package io.gpureclaimer.common.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps only the view of each watched object, and nothing of objects without one.
 *
 * <p>A concurrent map, not one immutable object: an informer's thread changes one entry at a time
 * among tens of thousands, and readers need each entry whole but not all of one moment.
 */
public final class ViewStore<T extends HasMetadata, V> implements ItemStore<T> {
  private final Map<String, V> views = new ConcurrentHashMap<>();
  private final Supplier<T> blank;
  private final Function<T, Optional<V>> reading;

  /**
   * @param blank makes an object to stand for one that was not kept; it only gets a name
   * @param reading what is kept of an object
   */
  public ViewStore(Supplier<T> blank, Function<T, Optional<V>> reading) {
    this.blank = blank;
    this.reading = reading;
  }

  /** The views of all objects that have one. */
  public Collection<V> all() {
    return List.copyOf(views.values());
  }

  /** The view of one object. */
  public Optional<V> view(String namespace, String name) {
    String key = namespace.isEmpty() ? name : namespace + "/" + name;
    return Optional.ofNullable(views.get(key));
  }

  @Override
  public String getKey(T item) {
    return Cache.metaNamespaceKeyFunc(item);
  }

  /** Returns nothing of what was before: no one asks, since no index and no handler is used. */
  @Override
  public @Nullable T put(String key, T item) {
    reading.apply(item).ifPresentOrElse(view -> views.put(key, view), () -> views.remove(key));
    return null;
  }

  @Override
  public @Nullable T remove(String key) {
    views.remove(key);
    return null;
  }

  @Override
  public Stream<String> keySet() {
    return views.keySet().stream();
  }

  /** Named blanks: after a new list the informer asks which entries it no longer has. */
  @Override
  public Stream<T> values() {
    return keySet().map(this::named);
  }

  @Override
  public int size() {
    return views.size();
  }

  @Override
  public @Nullable T get(String key) {
    return views.containsKey(key) ? named(key) : null;
  }

  @Override
  public boolean isFullState() {
    return false;
  }

  private T named(String key) {
    int slash = key.indexOf('/');
    ObjectMetaBuilder metadata = new ObjectMetaBuilder().withName(key.substring(slash + 1));
    T item = blank.get();
    item.setMetadata(
        slash < 0 ? metadata.build() : metadata.withNamespace(key.substring(0, slash)).build());
    return item;
  }
}
