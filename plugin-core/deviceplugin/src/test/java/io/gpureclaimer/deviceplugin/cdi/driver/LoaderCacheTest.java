package io.gpureclaimer.deviceplugin.cdi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoaderCacheTest {
  private static final byte[] CACHE =
      cache(Map.of("libcuda.so.1", "/opt/nvidia/lib/libcuda.so.1", "libc.so.6", "/lib/libc.so.6"));

  @TempDir Path folder;

  @Test
  void reportsWhereALibraryIs() throws IOException {
    assertThat(paths(CACHE)).containsExactly("/opt/nvidia/lib/libcuda.so.1");
  }

  @Test
  void reportsWhereALibraryIs_whenAnOlderFormatComesFirst() throws IOException {
    var both = new ByteArrayOutputStream();
    both.writeBytes("ld.so-1.7.0 and what follows it..".getBytes(StandardCharsets.US_ASCII));
    both.writeBytes(CACHE);

    assertThat(paths(both.toByteArray())).containsExactly("/opt/nvidia/lib/libcuda.so.1");
  }

  @Test
  void reportsNothing_whenItIsDamaged() throws IOException {
    assertThat(paths(new byte[0])).isEmpty();
    assertThat(paths("no cache at all".getBytes(StandardCharsets.US_ASCII))).isEmpty();
    for (int length = 20; length < CACHE.length; length++) {
      assertThat(paths(Arrays.copyOf(CACHE, length))).hasSizeLessThan(2);
    }
    byte[] wild = CACHE.clone();
    Arrays.fill(wild, 48, 96, (byte) 0xff);
    assertThat(paths(wild)).isEmpty();
  }

  @Test
  void readsTheOneOfThisMachine() {
    Path real = Path.of("/etc/ld.so.cache");
    assumeTrue(Files.isReadable(real), "this machine has no cache of the loader");

    assertThat(LoaderCache.paths(real, name -> name.equals("libc.so.6")))
        .isNotEmpty()
        .allMatch(path -> Files.exists(Path.of(path)));
  }

  /** A cache of the format that glibc writes since 2.2. */
  static byte[] cache(Map<String, String> libraries) {
    var strings = new ByteArrayOutputStream();
    var offsets = new LinkedHashMap<Integer, Integer>();
    int base = 48 + 24 * libraries.size();
    libraries.forEach(
        (name, path) -> {
          int key = base + strings.size();
          strings.writeBytes((name + "\0").getBytes(StandardCharsets.UTF_8));
          offsets.put(key, base + strings.size());
          strings.writeBytes((path + "\0").getBytes(StandardCharsets.UTF_8));
        });
    ByteBuffer cache = ByteBuffer.allocate(base + strings.size()).order(ByteOrder.nativeOrder());
    cache.put("glibc-ld.so.cache1.1".getBytes(StandardCharsets.US_ASCII));
    cache.putInt(libraries.size()).putInt(strings.size()).position(48);
    offsets.forEach((key, value) -> cache.putInt(3).putInt(key).putInt(value).putInt(0).putLong(0));
    return cache.put(strings.toByteArray()).array();
  }

  private List<String> paths(byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("ld.so.cache"), bytes);
    return LoaderCache.paths(file, "libcuda.so.1"::equals);
  }
}
