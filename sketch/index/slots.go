package index

// slots finds rows by their ids: a table of open addresses, in which a row stands at the first free place from that
// of its id's hash on. A place holds the row plus 1, and 0 if it is free.
type slots struct {
	places []uint32 // a power of two, at most seven eighths of them taken
}

const leastPlaces = 64

// first returns the place where the search for an id begins (a multiplicative hash, Knuth 1973).
func (s *slots) first(id uint32) int {
	h := id * 2654435769
	return int(h^h>>15) & (len(s.places) - 1)
}

// idAt returns the id at a place that is taken.
func (s *slots) idAt(x *Index, place int) uint32 {
	c, i := x.at(int(s.places[place] - 1))
	return c.ids[i]
}

// place returns the place of an id, or the free place where it belongs.
func (s *slots) place(x *Index, id uint32) int {
	at := s.first(id)
	for s.places[at] != 0 && s.idAt(x, at) != id {
		at = (at + 1) & (len(s.places) - 1)
	}
	return at
}

// find returns the row with an id, or −1.
func (s *slots) find(x *Index, id uint32) int {
	if len(s.places) == 0 {
		return -1
	}
	return int(s.places[s.place(x, id)]) - 1
}

// add sets the row of a new id. It reports false if the id is taken.
func (s *slots) add(x *Index, id uint32, row int) bool {
	if 8*(row+1) > 7*len(s.places) {
		s.grow(x, row)
	}
	at := s.place(x, id)
	if s.places[at] != 0 {
		return false
	}
	s.places[at] = uint32(row + 1)
	return true
}

// grow makes a table of twice the size for rows that stand already.
func (s *slots) grow(x *Index, rows int) {
	old := s.places
	s.places = make([]uint32, max(leastPlaces, 2*len(old)))
	Release(old)
	for row := range rows {
		s.set(x, x.id(row), row)
	}
}

func (s *slots) set(x *Index, id uint32, row int) { s.places[s.place(x, id)] = uint32(row + 1) }

// remove takes an id out, and moves those after it to where a search finds them (Knuth's algorithm R).
func (s *slots) remove(x *Index, id uint32) {
	mask := len(s.places) - 1
	gap := s.place(x, id)
	for at := (gap + 1) & mask; s.places[at] != 0; at = (at + 1) & mask {
		if home := s.first(s.idAt(x, at)); (at-home)&mask >= (at-gap)&mask {
			s.places[gap] = s.places[at]
			gap = at
		}
	}
	s.places[gap] = 0
}

// id returns the id of a row.
func (x *Index) id(row int) uint32 {
	c, i := x.at(row)
	return c.ids[i]
}
