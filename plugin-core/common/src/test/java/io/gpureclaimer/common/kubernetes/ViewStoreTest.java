package io.gpureclaimer.common.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ViewStoreTest {
  private final ViewStore<ConfigMap, String> store =
      new ViewStore<>(
          ConfigMap::new,
          item -> Optional.ofNullable(item.getData()).map(data -> data.get("view")));

  @Test
  void keepsOnlyTheViewOfAnObject() {
    put(item("ns", "a", "first"));

    assertThat(store.all()).containsExactly("first");
    assertThat(store.values()).containsExactly(named("ns", "a"));
    assertThat(store.keySet()).containsExactly("ns/a");
    assertThat(store.get("ns/a")).isEqualTo(named("ns", "a"));
  }

  @Test
  void keepsNothingOfAnObjectWithoutView() {
    put(named("ns", "a"));

    assertThat(store.size()).isZero();
    assertThat(store.get("ns/a")).isNull();
  }

  @Test
  void forgetsAnObjectThatLostItsView() {
    put(item("ns", "a", "first"));
    put(named("ns", "a"));

    assertThat(store.all()).isEmpty();
  }

  @Test
  void namesObjectsWithoutNamespace() {
    ConfigMap item = item("ns", "a", "first");
    item.getMetadata().setNamespace(null);
    put(item);

    assertThat(store.values().map(i -> i.getMetadata().getName())).containsExactly("a");
    assertThat(store.values().map(i -> i.getMetadata().getNamespace()))
        .containsExactly((String) null);
  }

  private void put(ConfigMap item) {
    store.put(store.getKey(item), item);
  }

  private static ConfigMap item(String namespace, String name, String view) {
    return new ConfigMapBuilder(named(namespace, name)).addToData("view", view).build();
  }

  private static ConfigMap named(String namespace, String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .build();
  }
}
