package io.gpureclaimer.exporter.counters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.gpureclaimer.common.files.ReloadingFile.Refresh;
import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CountersConfigMapTest {
  private static final String PATH = "/api/v1/namespaces/gpu/configmaps/counters";

  private final FakeApiServer server = new FakeApiServer();
  private final CountersConfigMap map = new CountersConfigMap("gpu", "counters", server::connect);

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void isTheTextOfTheKeyMetrics_andCostsOneQuestion() {
    create(Map.of("metrics", "DCGM_FI_DEV_GPU_TEMP,gauge,x", "other", "y"));
    int before = server.calls().size();

    assertThat(map.reload()).isEqualTo(new Refresh.Loaded<>("DCGM_FI_DEV_GPU_TEMP,gauge,x"));
    assertThat(server.calls().subList(before, server.calls().size()))
        .containsExactly("GET " + PATH);
    assertThat(map.name()).isEqualTo("counters ConfigMap gpu:counters");
  }

  @Test
  void isNotRead_unlessItIsReloaded() {
    int before = server.calls().size();

    assertThat(map.refresh()).isEqualTo(new Refresh.Unchanged<>());
    assertThat(server.calls()).hasSize(before);
  }

  @Test
  void saysWhatIsWrong() {
    assertThat(map.reload()).isEqualTo(new Refresh.Rejected<>("no such ConfigMap", null));
    create(Map.of("metric", "x"));
    assertThat(map.reload()).isEqualTo(new Refresh.Rejected<>("has no key metrics", null));
  }

  @Test
  void saysWhatIsWrong_inOneLine_whenItMayNotBeRead() {
    server.force("GET", PATH, 403, "configmaps \"counters\" is forbidden");

    assertThat(map.reload())
        .isInstanceOfSatisfying(
            Refresh.Rejected.class,
            found ->
                assertThat(found.problem())
                    .startsWith("cannot be read: ")
                    .contains("configmaps \"counters\" is forbidden")
                    .hasLineCount(1));
  }

  @Test
  void saysWhatIsWrong_inOneLine_whenNothingAnswers() {
    server.cutOff();

    assertThat(map.reload())
        .isInstanceOfSatisfying(
            Refresh.Rejected.class,
            found -> assertThat(found.problem()).startsWith("cannot be read: ").hasLineCount(1));
  }

  @Test
  void saysWhatIsWrong_asASentence_whenThereIsNoCluster() {
    var second = Duration.ofSeconds(1);
    var nowhere =
        CountersConfigMap.of(
            "gpu",
            "counters",
            new ConnectionOptions(
                Optional.of(Path.of("/none")), Optional.empty(), second, second, second));

    assertThat(nowhere.reload())
        .isInstanceOfSatisfying(
            Refresh.Rejected.class,
            found -> assertThat(found.problem()).startsWith("cannot be read: ").contains("/none"));
  }

  private void create(Map<String, String> data) {
    server
        .admin()
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("gpu")
                .withName("counters")
                .endMetadata()
                .withData(data)
                .build())
        .create();
  }
}
