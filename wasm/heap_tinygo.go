//go:build tinycore

package main

import "unsafe"

// The heap of the TinyGo build. TinyGo's own heap doubles the memory whenever it is short, past any
// budget, and cannot report that it ran out. This one grows only as needed.
//
// Memory above variables and constants holds a table of one byte per page, then the pages. A page is free, part
// of a large object, or has slots of one size: a bitmap of marks, then the slots. The collector
// marks from the variables, conservatively, and frees the rest. Objects without pointers are not
// searched.
//
// The collector runs when an export begins, when no pointer on the stack matters. Tracking stack
// pointers would make the module larger by a third. Everything that a call allocates stays until
// a later call begins.
const (
	wasmPageBytes = 1 << 16
	heapPageBytes = 4 << 10
	heapPages     = 1 << 20 // in the 4 GiB of address space
	marksBytes    = 32
	pagesEach     = wasmPageBytes / heapPageBytes
	growPages     = 256 // grow by this much while there is room
	smallPages    = 16  // fewer pages are a small object
	wideGap       = 256 // pages: more are a large gap
	noGap         = heapPages
	collectEach   = 4 << 20 // bytes allocated or freed between collections
)

// The states of a page. With isSlots the lowest bits are the size class. Otherwise, with isHead, a
// large object begins there.
const (
	pageFree  = 0
	pageTail  = 1 // of a large object, or after a free page
	isHead    = 1 << 4
	isMarked  = 1 << 5
	isScanned = 1 << 6 // may hold pointers
	isSlots   = 1 << 7
	classBits = 1<<4 - 1
)

// slotBytes are the slot sizes: multiples of 16, chosen to fill a page.
var slotBytes = [...]uintptr{16, 32, 48, 64, 96, 128, 192, 256, 336, 400, 576, 800, 1008, 1344, 2032}

var (
	states    unsafe.Pointer             // of the pages
	firstPage uintptr                    // its address
	endPage   uintptr                    // number of pages
	endUsed   uintptr                    // the first page of those at the end that are free
	gaps      uintptr                    // page of the first gap
	freeSlots [2][len(slotBytes)]uintptr // heads of the free lists, for objects without pointers and with pointers
	allocated uintptr                    // bytes since the last collection
	nothing   byte                       // target of pointers to objects of size 0
)

//export llvm.wasm.memory.size.i32
func memorySize(index int32) int32

//export llvm.wasm.memory.grow.i32
func memoryGrow(index, pages int32) int32

//go:extern __heap_base
var heapBase [0]byte

// The variables of the program, as opposed to its constants (build.sh).
//
//go:extern __start_roots
var startRoots [0]byte

//go:extern __stop_roots
var stopRoots [0]byte

func initHeap() {
	states = unsafe.Pointer((uintptr(unsafe.Pointer(&heapBase)) + 15) &^ 15)
	firstPage = (uintptr(states) + heapPages + heapPageBytes - 1) &^ (heapPageBytes - 1)
	for bytes := uintptr(memorySize(0)) * wasmPageBytes; bytes < firstPage; bytes += wasmPageBytes {
		if memoryGrow(0, 1) < 0 {
			exhausted()
		}
	}
	countPages()
	gaps = noGap
}

// countPages updates endPage after the memory has grown.
func countPages() {
	endPage = uintptr(memorySize(0))*pagesEach - firstPage/heapPageBytes
}

func state(page uintptr) *uint8 { return (*uint8)(unsafe.Add(states, page)) }

// pagesOf returns the number of pages of the large object that begins at a page, and 1 for a page of another kind.
func pagesOf(page uintptr) (n uintptr) {
	for n = 1; *state(page + n) == pageTail; n++ {
	}
	return n
}

func word(address uintptr) *uintptr { return (*uintptr)(unsafe.Pointer(address)) }

// heapAlloc returns zeroed memory. A layout means no pointers if its lowest bit is set and all bits
// above the lowest six are zero.
//
//go:linkname heapAlloc runtime.alloc
func heapAlloc(size uintptr, layout unsafe.Pointer) unsafe.Pointer {
	if size == 0 {
		return unsafe.Pointer(&nothing)
	}
	if states == nil {
		initHeap()
	}
	scanned := uint8(isScanned)
	if uintptr(layout)&1 != 0 && uintptr(layout)>>6 == 0 {
		scanned = 0
	}
	var address uintptr
	if size <= slotBytes[len(slotBytes)-1] {
		address = allocSlot(&size, scanned)
	} else {
		pages := (size-1)/heapPageBytes + 1
		page := takePages(pages)
		*state(page) = isHead | scanned
		for tail := page + 1; tail < page+pages; tail++ {
			*state(tail) = pageTail
		}
		size = pages * heapPageBytes
		address = firstPage + page*heapPageBytes
	}
	allocated += size
	clear(unsafe.Slice((*byte)(unsafe.Pointer(address)), size))
	return unsafe.Pointer(address)
}

// allocSlot takes a slot and sets *size to the slot's size.
func allocSlot(size *uintptr, scanned uint8) uintptr {
	class := uintptr(0)
	for slotBytes[class] < *size {
		class++
	}
	*size = slotBytes[class]
	list := &freeSlots[scanned/isScanned][class]
	if *list == 0 {
		page := takePages(1)
		*state(page) = isSlots | scanned | uint8(class)
		clearMarks(firstPage + page*heapPageBytes)
		sweepSlots(page)
	}
	slot := *list
	*list = ^*word(slot)
	return slot
}

// takePages returns the first of n free pages in a row: in the smallest gap that has them, else at the end. A small
// object goes into a wide gap only where the memory would have to grow for it, so that large objects can use the gap
// again.
func takePages(n uintptr) uintptr {
	widest := uintptr(heapPages)
	if n < smallPages {
		widest = wideGap
	}
	link := findGap(n, widest)
	if link == nil && endUsed+n > endPage {
		link = findGap(n, heapPages)
	}
	page := endUsed
	if link != nil {
		page = *link
		next, length := gapAt(page)
		if *link = *next; *length > n {
			addGap(link, page+n, *length-n)
		}
	} else {
		if endUsed += n; endUsed > endPage && !grow(endUsed-endPage) {
			exhausted()
		}
	}
	if after := state(page + n); *after == pageTail {
		*after = pageFree
	}
	return page
}

// gapAt returns the first two words of a gap, which is free pages in a row before endUsed: the page of the next gap,
// noGap after the last, and how many pages the gap has.
func gapAt(page uintptr) (next, length *uintptr) {
	address := firstPage + page*heapPageBytes
	return word(address), word(address + 4)
}

// findGap returns the link to the smallest gap of n to widest pages, or nil. It joins gaps that touch each
// other or the end. All pages together are too many to be looked at here: that took most of the time of a fit.
func findGap(n, widest uintptr) (best *uintptr) {
	widest++
	for link := &gaps; *link != noGap && widest > n; {
		next, length := gapAt(*link)
		for *next == *link+*length {
			after, more := gapAt(*next)
			*length += *more
			*next = *after
		}
		if *link+*length == endUsed {
			endUsed, *link = *link, noGap
			break
		}
		if *length >= n && *length < widest {
			best, widest = link, *length
		}
		link = next
	}
	return best
}

// addGap puts n free pages among the gaps, after link, and returns the link after them.
func addGap(link *uintptr, page, n uintptr) *uintptr {
	for *link < page {
		link, _ = gapAt(*link)
	}
	next, length := gapAt(page)
	*next, *length, *link = *link, n, page
	return next
}

// grow enlarges the memory by n pages, and by more if possible.
func grow(n uintptr) bool {
	for _, atLeast := range [...]uintptr{growPages, 1} {
		if memoryGrow(0, int32((max(n, atLeast)+pagesEach-1)/pagesEach)) >= 0 {
			countPages()
			return true
		}
	}
	return false
}

// collectGarbage does nothing: this build collects when the next call begins.
func collectGarbage() {}

// recovers says that exports do not recover: a panic is a trap, so that none needs a frame for it.
const recovers = false

// recovered is never called.
func recovered(*status) {}

// collectFirst collects what earlier calls left, if that is much. build.sh has each export call it before all else:
// an export of Go allocates parameters that its function literals share before its first statement.
//
//export collect_first
func collectFirst() {
	if allocated > collectEach || freed > collectEach {
		freed = 0
		collect()
	}
}

// freePages frees a large object, to which no other pointer is left. Smaller ones wait for the collector.
func freePages(first *uint64) {
	page := (uintptr(unsafe.Pointer(first)) - firstPage) / heapPageBytes
	if *state(page)&(isSlots|isHead) != isHead {
		return
	}
	pages := pagesOf(page)
	*state(page) = pageFree
	freed -= int64(pages * heapPageBytes)
	addGap(&gaps, page, pages)
}

// collect frees every object that no global and no marked object points to.
func collect() {
	mark(uintptr(unsafe.Pointer(&startRoots)), uintptr(unsafe.Pointer(&stopRoots)))
	freeSlots = [2][len(slotBytes)]uintptr{}
	allocated, gaps = 0, noGap
	link, used := &gaps, uintptr(0)
	for page := uintptr(0); page < endUsed; {
		pages := pagesOf(page)
		switch s := *state(page); {
		case s&isSlots != 0:
			sweepSlots(page)
		case s&isMarked != 0:
			*state(page) = s &^ isMarked
		default:
			*state(page) = pageFree
		}
		if *state(page) != pageFree {
			if used < page {
				link = addGap(link, used, page-used)
			}
			used = page + pages
		}
		page += pages
	}
	endUsed = used
}

// sweepSlots adds the unmarked slots of a page to their free list. It frees a page without marked
// slots, unless the list is otherwise empty.
func sweepSlots(page uintptr) {
	s := *state(page)
	size := slotBytes[s&classBits]
	list := &freeSlots[s&isScanned/isScanned][s&classBits]
	first, before := firstPage+page*heapPageBytes, *list
	slots := (heapPageBytes - marksBytes) / size
	kept := false
	for slot := range slots {
		if *word(first + slot/32*4)>>(slot%32)&1 == 0 {
			address := first + marksBytes + slot*size
			*word(address) = ^*list // inverted, so that the collector does not take the link for a pointer
			*list = address
		} else {
			kept = true
		}
	}
	clearMarks(first)
	if !kept && before != 0 {
		*list = before
		*state(page) = pageFree
	}
}

func clearMarks(page uintptr) { clear(unsafe.Slice((*byte)(unsafe.Pointer(page)), marksBytes)) }

// mark marks every object that the words from start to end may point to.
func mark(start, end uintptr) {
	for at := (start + 3) &^ 3; at+4 <= end; at += 4 {
		markObject(*word(at))
	}
}

// markObject marks the object that contains an address, if there is one, and the objects it points
// to. Its recursion is as deep as chains of pointers: this program has no long lists.
//
// A large object without pointers, such as sums or a matrix, is marked from its beginning only. The random words of
// seeds and hashes would point into many of them. So whoever keeps a part of such an object from one export to the next
// keeps its beginning too.
func markObject(address uintptr) {
	if address-firstPage >= endPage*heapPageBytes {
		return
	}
	page := (address - firstPage) / heapPageBytes
	for *state(page) == pageTail {
		page--
	}
	s, first := *state(page), firstPage+page*heapPageBytes
	switch {
	case s&isSlots != 0:
		size := slotBytes[s&classBits]
		slot := (address - first - marksBytes) / size
		if slot >= (heapPageBytes-marksBytes)/size { // among the marks, or after the slots
			return
		}
		marks, bit := word(first+slot/32*4), uintptr(1)<<(slot%32)
		if *marks&bit != 0 {
			return
		}
		*marks |= bit
		if s&isScanned != 0 {
			first += marksBytes + slot*size
			mark(first, first+size)
		}
	case s&(isHead|isMarked) == isHead:
		if address != first && s&isScanned == 0 && pagesOf(page) > wideGap {
			return
		}
		*state(page) = s | isMarked
		if s&isScanned != 0 {
			mark(first, first+pagesOf(page)*heapPageBytes)
		}
	}
}
