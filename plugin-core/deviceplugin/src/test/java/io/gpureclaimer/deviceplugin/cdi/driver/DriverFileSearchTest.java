package io.gpureclaimer.deviceplugin.cdi.driver;

import static io.gpureclaimer.deviceplugin.cdi.FakeHost.VERSION;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.files.RootedFiles;
import io.gpureclaimer.deviceplugin.cdi.FakeHost;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFileSearch.SearchResult.Complete;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFileSearch.SearchResult.Missing;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles.Found;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles.Library;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles.LibraryLink;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverFileSearchTest {
  private static final String CUDA = "libcuda.so." + VERSION;

  @TempDir Path folder;
  private FakeHost host;

  @BeforeEach
  void make() {
    host = new FakeHost(folder);
  }

  @Test
  void findsLibrariesOnce_whenRedHatLinksTheirFolder() {
    host.file("/usr/lib64/" + CUDA)
        .link("/usr/lib64/libcuda.so.1", CUDA)
        .link("/lib64", "usr/lib64");

    assertThat(find(VERSION))
        .isEqualTo(
            new Complete(
                files(
                    List.of("/usr/lib64"),
                    new Library(
                        new Found("/usr/lib64/" + CUDA, "/usr/lib64/" + CUDA),
                        List.of(new LibraryLink("/usr/lib64/libcuda.so.1", CUDA))))));
  }

  @Test
  void findsBothFolders_whenDebianChoosesTheDriverByLinks() {
    String usual = FakeHost.LIBRARIES;
    String current = usual + "/nvidia/current";
    host.file(current + "/" + CUDA)
        .link(current + "/libcuda.so.1", CUDA)
        .link("/etc/alternatives/glx--libcuda.so.1", current + "/libcuda.so.1")
        .link(usual + "/libcuda.so.1", "/etc/alternatives/glx--libcuda.so.1")
        .file(usual + "/libnvidia-glcore.so." + VERSION);

    assertThat(find(VERSION))
        .isEqualTo(
            new Complete(
                files(
                    List.of(usual, current),
                    library(usual + "/libnvidia-glcore.so." + VERSION),
                    new Library(
                        new Found(current + "/" + CUDA, current + "/" + CUDA),
                        List.of(
                            new LibraryLink(usual + "/libcuda.so.1", current + "/" + CUDA),
                            new LibraryLink(current + "/libcuda.so.1", CUDA))))));
  }

  @Test
  void findsAnUnusualFolder_whenTheLoaderKnowsIt() {
    host.file("/opt/nvidia/lib/" + CUDA)
        .file(
            "/etc/ld.so.cache",
            LoaderCacheTest.cache(Map.of("libcuda.so.1", "/opt/nvidia/lib/libcuda.so.1")));

    assertThat(find(VERSION))
        .isEqualTo(
            new Complete(files(List.of("/opt/nvidia/lib"), library("/opt/nvidia/lib/" + CUDA))));
  }

  @Test
  void leavesOutLibraries_whenTheyAreForProgramsOf32Bits() {
    host.file("/usr/lib64/" + CUDA, new byte[] {0x7f, 'E', 'L', 'F', 2})
        .file("/usr/lib/" + CUDA, new byte[] {0x7f, 'E', 'L', 'F', 1});

    assertThat(find(VERSION))
        .isEqualTo(new Complete(files(List.of("/usr/lib64"), library("/usr/lib64/" + CUDA))));
  }

  @Test
  void findsFirmware_whenTheKernelHasAFolderOfItsOwn() {
    host.file("/usr/lib64/" + CUDA)
        .file("/proc/sys/kernel/osrelease", "6.8.0-45\n".getBytes(StandardCharsets.UTF_8))
        .file("/lib/firmware/6.8.0-45/nvidia/" + VERSION + "/gsp_tu10x.bin")
        .file("/lib/firmware/6.8.0-45/nvidia/" + VERSION + "/README");

    assertThat(((Complete) find(VERSION)).files().others())
        .containsExactly(found("/lib/firmware/6.8.0-45/nvidia/" + VERSION + "/gsp_tu10x.bin"));
  }

  @Test
  void reportsWhatThereIs_whenTheLibrariesAreOfAnotherVersion() {
    host.file("/usr/lib64/libcuda.so.535.183.01")
        .link("/usr/lib64/libcuda.so.1", "libcuda.so.535.183.01");

    assertThat(find(VERSION)).isEqualTo(new Missing(List.of("/usr/lib64/libcuda.so.535.183.01")));
  }

  @Test
  void reportsNothing_whenThereIsNoDriver() {
    assertThat(find(VERSION)).isEqualTo(new Missing(List.of()));
  }

  private DriverFileSearch.SearchResult find(String version) {
    return new DriverFileSearch(
            new RootedFiles(folder), new FirmwareFolders(host.here("/proc"), host.here("/sys")))
        .find(version);
  }

  private static DriverFiles files(List<String> folders, Library... libraries) {
    return new DriverFiles(VERSION, folders, List.of(libraries), List.of(), List.of());
  }

  private static Library library(String path) {
    return new Library(found(path), List.of());
  }

  private static Found found(String path) {
    return new Found(path, path);
  }
}
