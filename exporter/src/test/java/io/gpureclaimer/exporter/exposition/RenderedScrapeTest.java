package io.gpureclaimer.exporter.exposition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.exposition.LatestSnapshot.RenderedScrape;
import io.gpureclaimer.exporter.exposition.text.TextBuffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class RenderedScrapeTest {

  @Test
  void unpacksToTheText() throws IOException {
    byte[] text = "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 1\n".repeat(1_000).getBytes(UTF_8);

    byte[] gzipped =
        new RenderedScrape(form -> form.apply(new TextBuffer().append(text))).gzipped();

    assertThat(gzipped).hasSizeLessThan(text.length / 20);
    try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(gzipped))) {
      assertThat(unpacked.readAllBytes()).isEqualTo(text);
    }
  }
}
